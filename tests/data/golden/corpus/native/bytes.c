#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static uint32_t table[256];

/* Filled once; 0xEDB88320 is the reversed polynomial of Ethernet and zip. */
void crc_init(void)
{
    for (uint32_t i = 0; i < 256; i++) {
        uint32_t c = i;
        for (int k = 0; k < 8; k++)
            c = c & 1 ? 0xEDB88320u ^ (c >> 1) : c >> 1;
        table[i] = c;
    }
}

uint32_t crc_update(uint32_t crc, const uint8_t *data, size_t length)
{
    crc = ~crc;
    while (length--)
        crc = table[(crc ^ *data++) & 0xff] ^ (crc >> 8);
    return ~crc;
}

/* Rejects overlong forms, surrogates and what lies beyond U+10FFFF. */
bool utf8_valid(const uint8_t *s, size_t n)
{
    size_t i = 0;
    while (i < n) {
        uint8_t lead = s[i];
        int more = lead < 0x80 ? 0 : (lead >> 5) == 6 ? 1 : (lead >> 4) == 14 ? 2
                 : (lead >> 3) == 30 ? 3 : -1;
        if (more < 0 || i + (size_t)more >= n + (more == 0))
            return false;
        uint32_t code = more == 0 ? lead : lead & (0x3f >> more);
        for (int k = 1; k <= more; k++) {
            if ((s[i + k] & 0xc0) != 0x80)
                return false;
            code = code << 6 | (s[i + k] & 0x3f);
        }
        static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
        if (code < least[more] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
            return false;
        i += (size_t)more + 1;
    }
    return true;
}

/* Where to cut so that no character is torn apart. */
size_t utf8_truncate(const uint8_t *s, size_t n, size_t limit)
{
    if (n <= limit)
        return n;
    while (limit > 0 && (s[limit] & 0xc0) == 0x80)
        limit--;
    return limit;
}

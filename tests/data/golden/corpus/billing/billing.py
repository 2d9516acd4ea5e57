"""Money, invoices and the card processor."""

import datetime as dt
import random
import time
import uuid
from dataclasses import dataclass, field
from decimal import ROUND_HALF_EVEN, Decimal

GRACE = dt.timedelta(days=14)
LEVELS = ("reminder", "warning", "collection")


@dataclass
class Invoice:
    number: str
    customer: str
    due: dt.date
    cents: int
    paid: int = 0
    letters: list[str] = field(default_factory=list)


def next_number(last: str, today: dt.date) -> str:
    """Counts up within a year without gaps, as the law wants."""
    year, _, count = last.partition("-")
    following = int(count) + 1 if year == str(today.year) else 1
    return f"{today.year}-{following:05}"


def overdue(invoices: list[Invoice], today: dt.date) -> list[Invoice]:
    late = [i for i in invoices if i.paid < i.cents and today > i.due + GRACE]
    return sorted(late, key=lambda i: i.due)


def escalate(invoice: Invoice, today: dt.date) -> str | None:
    """The sterner letter that follows, one every two weeks, or None."""
    weeks = (today - invoice.due).days // 14
    level = min(weeks, len(LEVELS)) - 1
    if level < 0 or len(invoice.letters) > level:
        return None
    invoice.letters.append(LEVELS[level])
    return LEVELS[level]


def void(invoice: Invoice, number: str) -> Invoice:
    """A negative twin instead of a deletion: books are never rubbed out."""
    return Invoice(number, invoice.customer, invoice.due, -invoice.cents, -invoice.paid)


def to_cents(text: str) -> int:
    """Read what a person typed: 1.234,50 and 1,234.50 are the same amount."""
    cleaned = text.strip().replace(" ", "")
    last = max(cleaned.rfind("."), cleaned.rfind(","))
    if last >= 0 and len(cleaned) - last - 1 in (1, 2):
        whole, part = cleaned[:last], cleaned[last + 1 :]
    else:
        whole, part = cleaned, ""
    digits = "".join(c for c in whole if c.isdigit() or c == "-")
    return int(digits or "0") * 100 + int((part + "00")[:2]) * (-1 if digits[:1] == "-" else 1)


def vat(net: int, percent: Decimal) -> int:
    """Tax on a net amount; halves go to the even cent."""
    exact = Decimal(net) * percent / 100
    return int(exact.quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


def split_evenly(total: int, people: int) -> list[int]:
    """Shares that differ by a cent at most and lose none."""
    share, rest = divmod(total, people)
    return [share + 1] * rest + [share] * (people - rest)


def convert(amount: int, rate: Decimal, digits: int = 2) -> int:
    """Into another currency, whose smallest unit may not be a hundredth."""
    scaled = Decimal(amount) / 100 * rate * (10**digits)
    return int(scaled.quantize(Decimal(1), rounding=ROUND_HALF_EVEN))


class Declined(Exception):
    """The bank said no; asking again changes nothing."""


class Unreachable(Exception):
    """Nobody answered in time."""


def backoff(attempt, base=0.2, cap=8.0):
    """Longer after every failure, with chance mixed in so that clients do not march in step."""
    return random.uniform(0, min(cap, base * 2**attempt))


def charge(transport, card, cents, attempts=5, sleep=time.sleep):
    """The same key with every attempt: a payment that came through unseen is not made twice."""
    key = str(uuid.uuid4())
    for attempt in range(attempts):
        try:
            return transport.post("/charges", {"card": card, "amount": cents}, key=key)
        except Unreachable:
            if attempt + 1 == attempts:
                raise
            sleep(backoff(attempt))
    raise AssertionError


def mask(number):
    """All but the last four digits, for logs and receipts."""
    digits = [c for c in number if c.isdigit()]
    return "*" * (len(digits) - 4) + "".join(digits[-4:])


def luhn(number):
    """Whether the check digit of a card number is right."""
    total = 0
    for i, c in enumerate(reversed(number)):
        digit = int(c) * (1 + i % 2)
        total += digit - 9 if digit > 9 else digit
    return total % 10 == 0

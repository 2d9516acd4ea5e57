package server

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"
)

// bucket holds what one caller may still spend.
type bucket struct {
	tokens float64
	seen   time.Time
}

// Limiter keeps a bucket for every address.
type Limiter struct {
	mu      sync.Mutex
	rate    float64
	burst   float64
	callers map[string]*bucket
}

// NewLimiter allows rate requests a second and burst at once.
func NewLimiter(rate, burst float64) *Limiter {
	return &Limiter{rate: rate, burst: burst, callers: map[string]*bucket{}}
}

// Allow takes one token, or says no.
func (l *Limiter) Allow(address string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	b, ok := l.callers[address]
	if !ok {
		b = &bucket{tokens: l.burst, seen: now}
		l.callers[address] = b
	}
	b.tokens += now.Sub(b.seen).Seconds() * l.rate
	if b.tokens > l.burst {
		b.tokens = l.burst
	}
	b.seen = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// Sweep drops callers that have been silent for longer than idle.
func (l *Limiter) Sweep(idle time.Duration, now time.Time) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	gone := 0
	for address, b := range l.callers {
		if now.Sub(b.seen) > idle {
			delete(l.callers, address)
			gone++
		}
	}
	return gone
}

var errForged = errors.New("cookie does not match its signature")

const cookieName = "berth"

// Seal joins a value with its HMAC so that the browser cannot alter it.
func Seal(key []byte, value string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(value))
	return value + "." + base64.RawURLEncoding.EncodeToString(mac.Sum(nil))
}

// Unseal gives the value back where the HMAC fits.
func Unseal(key []byte, sealed string) (string, error) {
	at := strings.LastIndexByte(sealed, '.')
	if at < 0 {
		return "", errForged
	}
	value := sealed[:at]
	if !hmac.Equal([]byte(Seal(key, value)), []byte(sealed)) {
		return "", errForged
	}
	return value, nil
}

func newID() (string, error) {
	raw := make([]byte, 18)
	if _, err := rand.Read(raw); err != nil {
		return "", err
	}
	return base64.RawURLEncoding.EncodeToString(raw), nil
}

// Begin issues a fresh identifier, also when one was sent: a fixed one may be an attacker's.
func Begin(w http.ResponseWriter, key []byte) error {
	id, err := newID()
	if err != nil {
		return err
	}
	http.SetCookie(w, &http.Cookie{
		Name:     cookieName,
		Value:    Seal(key, id),
		HttpOnly: true,
		Secure:   true,
		SameSite: http.SameSiteLaxMode,
		Expires:  time.Now().Add(12 * time.Hour),
	})
	return nil
}

// End makes the browser forget.
func End(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{Name: cookieName, MaxAge: -1})
}

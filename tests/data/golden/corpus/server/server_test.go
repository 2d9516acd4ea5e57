package server

import (
	"testing"
	"time"
)

func TestBurstThenRefusal(t *testing.T) {
	l := NewLimiter(1, 3)
	now := time.Unix(0, 0)
	for i := 0; i < 3; i++ {
		if !l.Allow("10.0.0.1", now) {
			t.Fatal("too many requests should only be refused after the burst")
		}
	}
	if l.Allow("10.0.0.1", now) {
		t.Fatal("the fourth request in the same second must be refused")
	}
}

func TestTokensComeBack(t *testing.T) {
	l := NewLimiter(2, 2)
	now := time.Unix(0, 0)
	l.Allow("a", now)
	l.Allow("a", now)
	if !l.Allow("a", now.Add(time.Second)) {
		t.Fatal("a second later there is a token again")
	}
}

func TestSweepForgetsTheSilent(t *testing.T) {
	l := NewLimiter(1, 1)
	now := time.Unix(0, 0)
	l.Allow("a", now)
	if l.Sweep(time.Minute, now.Add(time.Hour)) != 1 {
		t.Fatal("an hour of silence is enough")
	}
}

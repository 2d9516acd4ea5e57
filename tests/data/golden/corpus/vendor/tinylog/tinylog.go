// Package tinylog is a logger in forty lines.
package tinylog

import (
	"fmt"
	"io"
	"sync"
	"time"
)

type Logger struct {
	mu  sync.Mutex
	out io.Writer
}

func New(out io.Writer) *Logger { return &Logger{out: out} }

func (l *Logger) Printf(format string, args ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	fmt.Fprintf(l.out, "%s "+format+"\n", append([]any{time.Now().Format(time.RFC3339)}, args...)...)
}

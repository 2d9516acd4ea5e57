type Task<A extends unknown[]> = (...args: A) => void;

/** Waits for a pause in the calls, then runs the last of them. */
export function debounce<A extends unknown[]>(task: Task<A>, ms: number): Task<A> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (...args: A) => {
    clearTimeout(timer);
    timer = setTimeout(() => task(...args), ms);
  };
}

/** Runs at most once in every span of time; calls in between are dropped. */
export function throttle<A extends unknown[]>(task: Task<A>, ms: number): Task<A> {
  let last = -Infinity;
  return (...args: A) => {
    const now = performance.now();
    if (now - last >= ms) {
      last = now;
      task(...args);
    }
  };
}

/** Two callers with the same key share one answer while it is on its way. */
export function single<T>(load: (key: string) => Promise<T>): (key: string) => Promise<T> {
  const running = new Map<string, Promise<T>>();
  return (key) => {
    const known = running.get(key);
    if (known) return known;
    const started = load(key).finally(() => running.delete(key));
    running.set(key, started);
    return started;
  };
}

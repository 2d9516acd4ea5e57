import { debounce } from "./debounce";

export interface Line {
  sku: string;
  count: number;
  cents: number;
}

type Listener = (lines: readonly Line[]) => void;

/** What a visitor is about to buy, kept across reloads. */
export class Basket {
  private lines: Line[] = [];
  private listeners = new Set<Listener>();
  private save = debounce(() => localStorage.setItem("basket", JSON.stringify(this.lines)), 300);

  restore(): void {
    try {
      const raw: unknown = JSON.parse(localStorage.getItem("basket") ?? "[]");
      this.lines = Array.isArray(raw) ? raw.filter(isLine) : [];
    } catch {
      this.lines = [];
    }
    this.changed();
  }

  put(sku: string, cents: number, count = 1): void {
    const known = this.lines.find((line) => line.sku === sku);
    if (known) known.count += count;
    else this.lines.push({ sku, count, cents });
    this.lines = this.lines.filter((line) => line.count > 0);
    this.changed();
  }

  get total(): number {
    return this.lines.reduce((sum, line) => sum + line.count * line.cents, 0);
  }

  subscribe(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(): void {
    this.save();
    for (const listener of this.listeners) listener(this.lines);
  }
}

function isLine(value: unknown): value is Line {
  const line = value as Line;
  return typeof line?.sku === "string" && Number.isInteger(line.count) && line.count > 0;
}

/** What was made last, up to `most` of it; the least recently used goes first. For what is the same whenever it is made. */
export class RecentlyUsed<Value> {
  private readonly values = new Map<string, Value>();

  constructor(private readonly most: number) {}

  /** @param make when it is not kept; what it throws is not */
  get(key: string, make: () => Value): Value {
    const value = this.values.get(key) ?? make();
    // A Map keeps the order of insertion.
    this.values.delete(key);
    this.values.set(key, value);
    const [oldest] = this.values.keys();
    if (this.values.size > this.most && oldest !== undefined) this.values.delete(oldest);
    return value;
  }
}

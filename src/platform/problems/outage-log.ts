/** While the database is away every request fails for the same reason: this often is enough to say so. */
const SAY_EVERY_MS = 30_000;

/** Counts what failed for one reason, and says when it is time for a line. */
export class OutageLog {
  private unsaid = 0;
  private saidAtMs = Number.NEGATIVE_INFINITY;

  /** @returns how many there were since the last line, this one included, or `null` when it is too soon for another */
  note(nowMs: number): number | null {
    this.unsaid += 1;
    if (nowMs - this.saidAtMs < SAY_EVERY_MS) return null;
    const { unsaid } = this;
    this.saidAtMs = nowMs;
    this.unsaid = 0;
    return unsaid;
  }
}

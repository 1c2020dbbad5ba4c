export interface Finding {
  readonly tone: 'bad' | 'warn';
  /** What is wrong, and what it means for somebody. */
  readonly text: string;
  /** Where there is more about it. */
  readonly path: string | null;
}

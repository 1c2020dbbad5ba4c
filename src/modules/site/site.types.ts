/** What the documentation tells of other modules, beside the contract. */
export interface Documented {
  /** Before each try of a delivery. */
  readonly retryWaitsMs: readonly number[];
  /** Each `code` in `errors` of a problem, and what it says. */
  readonly fieldCodes: Readonly<Record<string, string>>;
}

/** The address of the examples and of the committed contract. */
export const EXAMPLE_BASE_URL = 'https://api.rappen.example';

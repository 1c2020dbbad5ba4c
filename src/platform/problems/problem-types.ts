/** A kind of problem as its page explains it: what happened, what to do, what it looks like. */
export interface ProblemType {
  readonly status: number;
  readonly title: string;
  readonly cause: string;
  readonly fix: string;
}

/** The kinds that the platform answers with by itself. */
export type PlatformSlug =
  | 'validation-error'
  | 'malformed-json'
  | 'bad-request'
  | 'https-required'
  | 'cross-origin-request'
  | 'not-found'
  | 'method-not-allowed'
  | 'not-acceptable'
  | 'request-timeout'
  | 'conflict'
  | 'payload-too-large'
  | 'uri-too-long'
  | 'unsupported-media-type'
  | 'misdirected-request'
  | 'rate-limit-exceeded'
  | 'headers-too-large'
  | 'internal-error'
  | 'unavailable';

/** Every problem that the service answers with, in the words of its documentation: given at composition. */
export interface ProblemTypes {
  /** By their slugs. */
  readonly types: Readonly<Record<PlatformSlug, ProblemType>> & Readonly<Record<string, ProblemType>>;
  /** The slugs of what says only that it is of this kind: who is let in is not the platform's to say. */
  readonly ofKind: Readonly<Record<'unauthenticated' | 'forbidden', string>>;
}

import { parseUrl } from '../kernel/text/parse-url.js';

/** What is wrong with the configuration, all of it at once: nobody should restart eight times for eight mistakes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem(s):\n- ${problems.join('\n- ')}`);
  }
}

export type Env = Readonly<Record<string, string | undefined>>;

/** Reads variables one by one and collects what is wrong instead of stopping at the first. */
export class EnvReader {
  readonly problems: string[] = [];

  constructor(private readonly env: Env) {}

  text(name: string, fallback?: string): string {
    const value = this.env[name]?.trim();
    if (value) return value;
    if (fallback === undefined) this.problems.push(`${name} is required`);
    return fallback ?? '';
  }

  optional(name: string): string | null {
    return this.env[name]?.trim() || null;
  }

  /** A secret that somebody has chosen: short ones can be guessed. */
  secret(name: string, minChars: number): string | null {
    const value = this.optional(name);
    if (value !== null && (value.length < minChars || !/^[\x21-\x7e]+$/.test(value)))
      this.problems.push(
        `${name} must be at least ${minChars} printable ASCII characters: openssl rand -hex 32`,
      );
    return value;
  }

  integer(name: string, fallback: number, min: number, max: number): number {
    const value = this.env[name]?.trim();
    if (!value) return fallback;
    const number = Number(value);
    if (Number.isInteger(number) && number >= min && number <= max) return number;
    this.problems.push(`${name} must be a whole number from ${min} to ${max}`);
    return fallback;
  }

  oneOf<const T extends string>(name: string, allowed: readonly T[], fallback: T): T {
    const value = this.env[name]?.trim();
    if (!value) return fallback;
    const found = allowed.find((candidate) => candidate === value);
    if (!found) this.problems.push(`${name} must be one of ${allowed.join(', ')}`);
    return found ?? fallback;
  }

  /** An http(s) origin: scheme, host and port, nothing more. */
  origin(name: string, fallback?: string): string {
    const text = this.text(name, fallback);
    if (!text) return '';
    const url = parseUrl(text);
    const plain = url && /^https?:$/.test(url.protocol) && url.origin === text.replace(/\/$/, '');
    if (!plain) this.problems.push(`${name} must be an origin such as https://pay.example.com`);
    return plain ? url.origin : '';
  }

  /** 32 bytes in base64 or hex. */
  key(name: string): Buffer {
    const text = this.text(name);
    const bytes = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64');
    if (text && bytes.length !== 32) {
      this.problems.push(`${name} must be 32 bytes in base64 or hex: openssl rand -base64 32`);
    }
    return bytes;
  }
}

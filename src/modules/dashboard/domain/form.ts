/** A form as the browser sent it. What is missing is empty; nothing here is trusted to be well-formed. */
export class Form {
  constructor(
    private readonly fields: Readonly<Record<string, unknown>> = {},
    private readonly files: ReadonlyMap<string, Buffer> = new Map(),
  ) {}

  /** One field, trimmed. The first value of a repeated one. */
  text(name: string): string {
    return this.raw(name).trim();
  }

  /** One field as it was typed: passwords. */
  raw(name: string): string {
    return this.all(name)[0] ?? '';
  }

  /** Every value of a field: boxes that share a name. */
  all(name: string): string[] {
    const value = Object.hasOwn(this.fields, name) ? this.fields[name] : undefined;
    const values: unknown[] = Array.isArray(value) ? value : [value];
    return values.filter((one) => typeof one === 'string').map((one) => one.replaceAll('\0', ''));
  }

  /** The bytes of a file; `null` where none was chosen, and on routes that take none. */
  file(name: string): Buffer | null {
    return this.files.get(name) ?? null;
  }

  checked(name: string): boolean {
    return this.all(name).length > 0;
  }
}

/** A form with a file that was too large to be read: whoever wants something of it is told so. */
export class UnreadForm extends Form {
  constructor(private readonly why: Error) {
    super();
  }

  override all(): never {
    throw this.why;
  }

  override file(): never {
    throw this.why;
  }
}

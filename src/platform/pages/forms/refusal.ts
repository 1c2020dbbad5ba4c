import { ownValue } from '../../../kernel/lookups.js';

/** What is wrong with the fields of a form, by their names. */
export type Flaws = Readonly<Record<string, string>>;

/** What the top of a page says of a form that was refused. */
export interface Summary {
  /** The id of the first field to look at. */
  readonly first: string;
  /** How many fields need another answer. */
  readonly count: number;
}

/**
 * What was refused about a form, while its page is drawn: each field asks what is wrong with it. Whatever no field has
 * taken stands above them, so that nothing is lost where a form has no such field.
 */
export class Refusal {
  private ids: string[] = [];
  private readonly taken = new Set<string>();

  /**
   * @param path where the form was sent to: a page may have several with a field of the same name
   * @param message all of it, for where no field is to blame
   */
  constructor(
    private readonly flaws: Flaws,
    private readonly path: string,
    private readonly message: string,
  ) {}

  /** @param form a part of the path that only one of the page's forms is sent to; empty where names are the form's alone */
  isOf(form: string): boolean {
    return form === '' || this.path.split('/').includes(form);
  }

  /** What is wrong with a field; whoever asks draws it. */
  take(name: string, form: string, id: string): string | null {
    const flaw = this.isOf(form) ? (ownValue(this.flaws, name) ?? null) : null;
    if (flaw === null) return null;
    this.taken.add(name);
    this.ids.push(id);
    return flaw;
  }

  /** Whether the field that has just asked is the first that something is wrong with: somebody goes on there. */
  get isFirst(): boolean {
    return this.ids.length === 1;
  }

  /** After the page was drawn once, for the second time that it is. */
  drawn(): { readonly summary: Summary | null; readonly problem: string | null } {
    const [[first], count] = [this.ids, this.taken.size];
    this.ids = [];
    if (first === undefined) return { summary: null, problem: this.message };
    const rest = Object.keys(this.flaws).filter((name) => !this.taken.has(name));
    return {
      summary: { first, count },
      problem: rest.length === 0 ? null : rest.map((name) => this.flaws[name]).join(' '),
    };
  }
}

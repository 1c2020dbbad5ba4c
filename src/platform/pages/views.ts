import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Injectable } from '@nestjs/common';
import Handlebars from 'handlebars';
import { projectFile } from '../../config/project-files.js';
import { drawField, drawFolded } from './forms/field.js';
import type { Refusal } from './forms/refusal.js';

const VIEWS_DIR = projectFile('views');

/** What Handlebars gives to a helper. */
interface Drawing<Options> {
  readonly fn: (context: unknown) => string;
  readonly hash: Options;
  readonly data: { readonly root: { readonly refusal?: Refusal | null } };
}

/**
 * Handlebars pages, compiled once at start. A page names its layout by the folder it is in: `shop/cart` is
 * put into `layouts/shop` as `body`. Views hold no logic beyond if/each: a `*.view.ts` prepares the model.
 * `{{#field 'email'}}<label>E-mail</label><input type="email">{{/field}}` is a field of a form, `{{#folded 'cancel'}}` a
 * form that is folded away; a page whose form was refused has a `refusal` in its model.
 */
@Injectable()
export class Views {
  private readonly handlebars = Handlebars.create();
  private readonly templates = new Map<string, Handlebars.TemplateDelegate>();

  constructor() {
    // Compiled when it is first drawn: the partial is not known yet.
    const flaw = this.handlebars.compile('{{> parts/flaw}}', { strict: true });
    const drawFlaw = (flawId: string, text: string): string => flaw({ flawId, flaw: text });
    this.around('field', (part, name, options, refusal) => drawField(part, name, options, refusal, drawFlaw));
    this.around('folded', (part, form, _options, refusal) => drawFolded(part, form, refusal));
    this.refuseUnknown('each');
    this.refuseUnknown('with');
    for (const file of readdirSync(VIEWS_DIR, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.hbs')) continue;
      const name = file.slice(0, -'.hbs'.length).replaceAll('\\', '/');
      const source = readFileSync(join(VIEWS_DIR, file), 'utf8');
      if (name.startsWith('partials/')) {
        this.handlebars.registerPartial(relative('partials', name), source);
      } else {
        this.templates.set(name, this.handlebars.compile(source, { strict: true, assumeObjects: true }));
      }
    }
  }

  /** What templates may call: `{{name 'a' b}}` is `text('a', b)`. */
  helper(name: string, text: (...values: string[]) => string): void {
    // Handlebars adds an object of its own as the last argument.
    this.handlebars.registerHelper(name, (...values: unknown[]) =>
      text(...(values.slice(0, -1) as string[])),
    );
  }

  /**
   * What templates may call for HTML, which it has to escape itself: `{{name 'a' b='c'}}` is `draw(['a'], { b: 'c' }, root)`.
   * @param draw its last argument is the model of the whole page
   */
  drawing(
    name: string,
    draw: (values: readonly unknown[], options: Readonly<Record<string, unknown>>, root: object) => string,
  ): void {
    this.handlebars.registerHelper(name, (...values: unknown[]) => {
      const { hash, data } = values.pop() as Drawing<Readonly<Record<string, unknown>>>;
      return new Handlebars.SafeString(draw(values, hash, data.root));
    });
  }

  /** Handlebars is strict about what it prints, but takes a name that the model does not have for nothing in a block. */
  private refuseUnknown(block: 'each' | 'with'): void {
    const builtIn = this.handlebars.helpers[block];
    this.handlebars.registerHelper(block, function (this: unknown, value: unknown, options: object) {
      if (value === undefined) throw new Error(`the model does not have what #${block} is given`);
      return builtIn?.call(this, value, options) as unknown;
    });
  }

  /** What templates put around a part of themselves: `{{#name 'a' b='c'}}part{{/name}}`. The part is HTML, with all values escaped. */
  private around<Options extends object>(
    name: string,
    draw: (part: string, of: string, options: Options, refusal: Refusal | null) => string,
  ): void {
    this.handlebars.registerHelper(name, function (this: unknown, ...values: unknown[]) {
      const { fn, hash, data } = values.at(-1) as Drawing<Options>;
      const { refusal = null } = data.root;
      const of = values.length > 1 ? String(values[0]) : '';
      return new Handlebars.SafeString(draw(fn(this), of, hash, refusal));
    });
  }

  /** @throws when the view or its layout does not exist: a bug, never a user's doing. */
  render(name: string, model: object): string {
    const layout = `layouts/${name.split('/')[0]}`;
    const body = this.template(name)(model);
    return this.template(layout)({ ...model, body: new Handlebars.SafeString(body) });
  }

  private template(name: string): Handlebars.TemplateDelegate {
    const template = this.templates.get(name);
    if (!template) throw new Error(`view ${name} does not exist`);
    return template;
  }
}

import express, { type Request, type Response } from 'express';
import { DomainError } from '../../../kernel/domain-error.js';
import { fieldsOf } from '../../../kernel/error-fields.js';
import { Form, UnreadForm } from '../domain/form.js';

const TOO_LARGE = 413;

/** A form is a few fields; a note may have some thousand characters. */
const readFields = express.urlencoded({ extended: false, limit: '64kb', parameterLimit: 200 });
/** One picture, of which 1 MB is taken, and a few fields: a little more, so that a larger one is refused by its name. */
const readUpload = express.raw({ type: 'multipart/form-data', limit: '1200kb' });

/**
 * Reads the body of a form. Another kind of body is an empty form: it has no token, so nothing comes of it.
 * @param upload whether the route takes files; elsewhere a body with files is such another kind
 * @returns an `UnreadForm` for an upload that is too large, so that its page can say so
 * @throws DomainError `validation-error` for an upload that does not hold together
 */
export async function readForm(request: Request, response: Response, upload: boolean): Promise<Form> {
  const read = upload && request.is('multipart/form-data') ? readUpload : readFields;
  const failed = await new Promise<Error | undefined>((resolve) => read(request, response, resolve));
  if (failed && read === readUpload && fieldsOf(failed).status === TOO_LARGE)
    return new UnreadForm(new DomainError('invalid', 'payload-too-large', 'The file is larger than 1 MB.'));
  if (failed) throw failed;
  const body: unknown = request.body;
  return Buffer.isBuffer(body)
    ? uploaded(body, request.headers['content-type'] ?? '')
    : new Form(fieldsOf(body));
}

/** By Node's own reader of such bodies. A file that was not chosen is sent empty, and is none. */
async function uploaded(body: Buffer, type: string): Promise<Form> {
  const sent = await new globalThis.Response(body, { headers: { 'content-type': type } })
    .formData()
    .catch(() => null);
  if (!sent) throw new DomainError('invalid', 'validation-error', 'The form could not be read.');
  // Without a prototype: a field may be named as what every object has.
  const fields = Object.create(null) as Record<string, string[]>;
  const files = new Map<string, Buffer>();
  for (const [name, value] of sent) {
    if (typeof value === 'string') (fields[name] ??= []).push(value);
    else if (value.size > 0) files.set(name, Buffer.from(await value.arrayBuffer()));
  }
  return new Form(fields, files);
}

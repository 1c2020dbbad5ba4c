import express, { type Request, type Response } from 'express';
import { Form } from '../domain/form.js';

/** A form is a few fields; a note may have some thousand characters. */
const read = express.urlencoded({ extended: false, limit: '64kb', parameterLimit: 200 });

/** Reads the body of a form. Another kind of body is an empty form: it has no token, so nothing comes of it. */
export function readForm(request: Request, response: Response): Promise<Form> {
  return new Promise((resolve, reject) =>
    read(request, response, (error?: Error) => {
      if (error) reject(error);
      else resolve(new Form((request.body as Record<string, unknown> | undefined) ?? {}));
    }),
  );
}

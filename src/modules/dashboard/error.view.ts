import type { Refusal } from '../../platform/problems/problem.js';
import type { PageModel } from './session/request-context.js';

/** An error of the dashboard as a page: what happened, what to do, and what to quote. */
export function errorView({ status, detail }: Refusal, traceId: string): PageModel {
  return { ...said(status, detail), traceId };
}

function said(status: number, detail: string): { title: string; text: string } {
  switch (status) {
    case 403:
      return { title: 'Not allowed', text: detail };
    case 404:
      return {
        title: 'There is nothing here',
        text: 'The address is wrong, or what it was for belongs to somebody else.',
      };
    case 409:
      return { title: 'Something has changed meanwhile', text: detail };
    case 429:
      return { title: 'Too many requests', text: detail };
    case 503:
      return { title: 'Not available just now', text: 'Nothing was changed. Try again in a moment.' };
    default:
      return status >= 500
        ? {
            title: 'Something went wrong on our side',
            text: 'It has been logged. Try again, and if it stays, quote this number:',
          }
        : { title: 'This did not work', text: detail };
  }
}

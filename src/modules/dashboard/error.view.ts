import type { Refusal } from '../../platform/problems/problem.js';
import { PROBLEM_TYPES } from '../site/problems.types.js';
import { pathTo } from './paths.http.js';
import type { PageModel } from './session/request-context.js';

/** What was asked for when it went wrong. */
export interface Asked {
  readonly path: string;
  /** The page to come back to: the same address, or the page that a form was on. Home where nobody knows. */
  readonly again: string;
  /** Whether a form was sent, which a link cannot do once more. */
  readonly isChange: boolean;
}

interface Step {
  readonly text: string;
  readonly path: string;
}

interface Said {
  readonly title: string;
  /** What happened, and why. */
  readonly text: string;
  /** What to do, before the button that does it. */
  readonly todo: string;
  readonly next: Step;
}

const HOME: Step = { text: 'Go to the dashboard', path: pathTo('home') };
/** These are in mails and messages, and are opened once. */
const LINKS = ['oneTimeLink', 'invitationLink'] as const;

/** An error of the dashboard as a page: what happened and why, one thing to do, and what to quote. */
export function errorView(refusal: Refusal, traceId: string, asked: Asked): PageModel {
  const said = saidOf(refusal, asked);
  const home = said.next.path === HOME.path || said.next.path === pathTo('signIn') ? null : HOME;
  return { ...said, home, traceId, traceLead: leadOf(refusal) };
}

function leadOf({ status }: Refusal): string {
  return status >= 500 ? 'If it stays like this, tell whoever runs this service this number:' : 'Trace ID';
}

function saidOf(refusal: Refusal, asked: Asked): Said {
  const { status, slug, detail } = refusal;
  switch (status) {
    case 401:
      return {
        title: 'You are not signed in',
        text: 'A session ends after a while, and when somebody ends it elsewhere.',
        todo: 'Sign in, and open the page once more.',
        next: { text: 'Sign in', path: pathTo('signIn') },
      };
    case 403:
      return slug === 'not-permitted' ? roleLacks() : fromElsewhere(detail, asked);
    case 404:
    case 410:
      return isLink(asked.path) ? usedLink() : nothingHere(refusal);
    case 409:
      return {
        title: 'Something has changed meanwhile',
        text: `${detail} Nothing was changed.`,
        todo: 'Look at the page as it is now, and decide again.',
        next: goBack(asked),
      };
    case 413:
      return {
        title: 'The form is too large',
        text: `${detail} Nothing was changed.`,
        todo: 'Go back, and send less of it.',
        next: goBack(asked),
      };
    case 429:
      return {
        title: 'Too many requests',
        text: `${detail} Nothing was changed.`,
        todo: `Wait ${waitText(refusal)}, then try again.`,
        next: goBack(asked),
      };
    case 503:
      return {
        title: 'Not available just now',
        text: `${detail} Nothing was changed.`,
        todo: 'Try again in a moment.',
        next: goBack(asked),
      };
    default:
      return status >= 500 ? ourFault(asked) : notUnderstood(detail, asked);
  }
}

function roleLacks(): Said {
  return {
    title: 'Your role does not allow this',
    text: 'What a person may do here follows from their role at the merchant. Nothing was changed.',
    todo: 'Ask an owner to do it, or to give you another role.',
    next: HOME,
  };
}

function fromElsewhere(detail: string, asked: Asked): Said {
  return {
    title: 'The form was not taken',
    text: `${detail} Nothing was changed.`,
    todo: 'Open the page anew and use the form on it.',
    next: goBack(asked),
  };
}

function usedLink(): Said {
  return {
    title: 'This link is no good any more',
    text: 'It works once and for a limited time. Somebody has used it, it is too old, or it is not whole.',
    todo: 'If you have a password already, sign in. If not, ask for a new link.',
    next: { text: 'Sign in', path: pathTo('signIn') },
  };
}

/** Only what a page of ours has said of it says more than that. */
function nothingHere({ slug, detail }: Refusal): Said {
  const isUnknown = slug === 'not-found' && detail === PROBLEM_TYPES['not-found'].cause;
  const text = isUnknown
    ? 'The address is wrong, or what it was for is gone or belongs to somebody else.'
    : detail;
  return {
    title: 'There is nothing here',
    text: slug === 'intent-not-found' ? 'There is no such payment, or it belongs to another merchant.' : text,
    todo: 'Find it from the dashboard instead.',
    next: HOME,
  };
}

function ourFault(asked: Asked): Said {
  return {
    title: 'Something went wrong on our side',
    text: asked.isChange
      ? 'It has been logged. Nobody can say here whether what you asked for was done.'
      : 'The page could not be drawn. It has been logged, and nothing was changed.',
    todo: asked.isChange ? 'Look at the page before you ask for it once more.' : 'Try again.',
    next: goBack(asked),
  };
}

function notUnderstood(detail: string, asked: Asked): Said {
  return {
    title: 'This did not work',
    text: `${detail} Nothing was changed.`,
    todo: asked.isChange
      ? 'Open the page anew and try again.'
      : 'Check the address, or begin at the dashboard.',
    next: asked.isChange ? goBack(asked) : HOME,
  };
}

function goBack({ again, isChange }: Asked): Step {
  if (again === HOME.path) return HOME;
  return { text: isChange ? 'Back to the page' : 'Try again', path: again };
}

function isLink(path: string): boolean {
  return LINKS.some((name) => path.startsWith(pathTo(name, '')));
}

function waitText({ headers }: Refusal): string {
  const seconds = Number(headers['Retry-After']);
  if (!(seconds > 0)) return 'a minute';
  return seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
}

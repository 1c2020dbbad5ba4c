import type { RefusedRequest } from '../../../../platform/problems/problem.js';
import { PROBLEM_TYPES } from '../../../site/problems.types.js';
import type { Say } from '../../language/say.js';
import { pathTo } from '../../paths.http.js';
import type { PageModel } from '../request-context.js';

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

const HOME = pathTo('home');
/** These are in mails and messages, and are opened once. */
const LINKS = ['oneTimeLink', 'invitationLink'] as const;

/** An error of the dashboard as a page: what happened and why, one thing to do, and what to quote. */
export function errorView(say: Say, refusal: RefusedRequest, traceId: string, asked: Asked): PageModel {
  const said = saidOf(say, refusal, asked);
  const home = said.next.path === HOME || said.next.path === pathTo('signIn') ? null : toHome(say);
  return { ...said, home, traceId, traceLead: leadOf(say, refusal) };
}

function leadOf(say: Say, { status }: RefusedRequest): string {
  return status >= 500
    ? say('If it stays like this, tell whoever runs this service this number:')
    : say('Trace ID');
}

function saidOf(say: Say, refusal: RefusedRequest, asked: Asked): Said {
  const { status, slug } = refusal;
  const detail = say.told(refusal.detail);
  switch (status) {
    case 401:
      return {
        title: say('You are not signed in'),
        text: say('A session ends after a while, and when somebody ends it elsewhere.'),
        todo: say('Sign in, and open the page once more.'),
        next: { text: say('Sign in'), path: pathTo('signIn') },
      };
    case 403:
      return slug === 'not-permitted' ? roleLacks(say) : fromElsewhere(say, detail, asked);
    case 404:
    case 410:
      return isLink(asked.path) ? usedLink(say) : nothingHere(say, refusal);
    case 409:
      return {
        title: say('Something has changed meanwhile'),
        text: say('{reason} Nothing was changed.', { reason: detail }),
        todo: say('Look at the page as it is now, and decide again.'),
        next: goBack(say, asked),
      };
    case 413:
      return {
        title: say('The form is too large'),
        text: say('{reason} Nothing was changed.', { reason: detail }),
        todo: say('Go back, and send less of it.'),
        next: goBack(say, asked),
      };
    case 429:
      return {
        title: say('Too many requests'),
        text: say('{reason} Nothing was changed.', { reason: detail }),
        todo: say('Wait {time}, then try again.', { time: waitText(say, refusal) }),
        next: goBack(say, asked),
      };
    case 503:
      return {
        title: say('Not available just now'),
        text: say('{reason} Nothing was changed.', { reason: detail }),
        todo: say('Try again in a moment.'),
        next: goBack(say, asked),
      };
    default:
      return status >= 500 ? ourFault(say, asked) : notUnderstood(say, detail, asked);
  }
}

function roleLacks(say: Say): Said {
  return {
    title: say('Your role does not allow this'),
    text: say('What a person may do here follows from their role at the merchant. Nothing was changed.'),
    todo: say('Ask an owner to do it, or to give you another role.'),
    next: toHome(say),
  };
}

function fromElsewhere(say: Say, detail: string, asked: Asked): Said {
  return {
    title: say('The form was not taken'),
    text: say('{reason} Nothing was changed.', { reason: detail }),
    todo: say('Open the page anew and use the form on it.'),
    next: goBack(say, asked),
  };
}

function usedLink(say: Say): Said {
  return {
    title: say('This link is no good any more'),
    text: say(
      'It works once and for a limited time. Somebody has used it, it is too old, or it is not whole.',
    ),
    todo: say('If you have a password already, sign in. If not, ask for a new link.'),
    next: { text: say('Sign in'), path: pathTo('signIn') },
  };
}

/** Only what a page of ours has said of it says more than that. */
function nothingHere(say: Say, { slug, detail }: RefusedRequest): Said {
  const isUnknown = slug === 'not-found' && detail === PROBLEM_TYPES['not-found'].cause;
  const text = isUnknown
    ? say('The address is wrong, or what it was for is gone or belongs to somebody else.')
    : say.told(detail);
  return {
    title: say('There is nothing here'),
    text:
      slug === 'intent-not-found'
        ? say('There is no such payment, or it belongs to another merchant.')
        : text,
    todo: say('Find it from the dashboard instead.'),
    next: toHome(say),
  };
}

function ourFault(say: Say, asked: Asked): Said {
  return {
    title: say('Something went wrong on our side'),
    text: asked.isChange
      ? say('It has been logged. Nobody can say here whether what you asked for was done.')
      : say('The page could not be drawn. It has been logged, and nothing was changed.'),
    todo: asked.isChange ? say('Look at the page before you ask for it once more.') : say('Try again.'),
    next: goBack(say, asked),
  };
}

function notUnderstood(say: Say, detail: string, asked: Asked): Said {
  return {
    title: say('This did not work'),
    text: say('{reason} Nothing was changed.', { reason: detail }),
    todo: asked.isChange
      ? say('Open the page anew and try again.')
      : say('Check the address, or begin at the dashboard.'),
    next: asked.isChange ? goBack(say, asked) : toHome(say),
  };
}

function goBack(say: Say, { again, isChange }: Asked): Step {
  if (again === HOME) return toHome(say);
  return { text: isChange ? say('Back to the page') : say('Try again'), path: again };
}

function toHome(say: Say): Step {
  return { text: say('Go to the dashboard'), path: HOME };
}

function isLink(path: string): boolean {
  return LINKS.some((name) => path.startsWith(pathTo(name, '')));
}

function waitText(say: Say, { headers }: RefusedRequest): string {
  const seconds = Number(headers['Retry-After']);
  if (!(seconds > 0)) return say('a minute');
  return seconds < 90
    ? say('{count, plural, one {# second} other {# seconds}}', { count: seconds })
    : say('{count, plural, one {# minute} other {# minutes}}', { count: Math.ceil(seconds / 60) });
}

import { may } from '../../accounts/permissions.pure.js';
import { confirmPath, type RequestContext } from '../session/request-context.js';

/** Who may change something does so after a proof of identity: before it the fields are only shown. */
export function changing({ who }: RequestContext, path: string) {
  const isOwner = may(who, 'settings:manage');
  return { isOwner, mayChange: isOwner && who.isFresh, confirm: isOwner ? confirmPath(who, path) : null };
}

import type { RequestHandler } from 'express';

/** Handlers one after the other as one of them: a layer of Express's router costs more than most of them do. */
export function handlersInTurn(...handlers: readonly RequestHandler[]): RequestHandler {
  return (request, response, next) => {
    const go = (place: number): void => {
      const handler = handlers[place];
      if (!handler) return next();
      void handler(request, response, (error?: unknown) => {
        if (error === undefined) go(place + 1);
        else next(error);
      });
    };
    go(0);
  };
}

import type { Request, RequestHandler, Response } from 'express';
import { handlersInTurn } from './in-turn.js';

function called(...handlers: RequestHandler[]): { said: unknown[][] } {
  const said: unknown[][] = [];
  void handlersInTurn(...handlers)({} as Request, {} as Response, (...error: unknown[]) => said.push(error));
  return { said };
}

it('calls each handler after the one before, and goes on once all have', () => {
  const order: number[] = [];
  const step =
    (n: number): RequestHandler =>
    (_request, _response, next) => {
      order.push(n);
      next();
    };
  expect(called(step(1), step(2), step(3)).said).toEqual([[]]);
  expect(order).toEqual([1, 2, 3]);
});

it('calls nobody after one that has answered', () => {
  const after = jest.fn();
  expect(called(() => undefined, after).said).toEqual([]);
  expect(after).not.toHaveBeenCalled();
});

it('passes an error on to whoever comes after all of them', () => {
  const after = jest.fn();
  const error = new Error('refused');
  expect(called((_request, _response, next) => next(error), after).said).toEqual([[error]]);
  expect(after).not.toHaveBeenCalled();
});

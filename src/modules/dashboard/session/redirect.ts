import { type ArgumentsHost, Catch, type ExceptionFilter } from '@nestjs/common';
import type { Response } from 'express';

/** Thrown by the guard: this person has to go somewhere else first. */
export class GoTo extends Error {
  override readonly name = 'GoTo';

  constructor(readonly path: string) {
    super(`go to ${path}`);
  }
}

@Catch(GoTo)
export class GoToFilter implements ExceptionFilter<GoTo> {
  catch(goTo: GoTo, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().set('Cache-Control', 'no-store').redirect(303, goTo.path);
  }
}

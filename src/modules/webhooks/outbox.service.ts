import { Injectable } from '@nestjs/common';
import { Subject } from 'rxjs';

/** Tells the dispatcher of this process that something was committed; other instances find it by polling. */
@Injectable()
export class OutboxService {
  readonly committed = new Subject<void>();

  /** Call after the commit, never inside the transaction. */
  wake(): void {
    this.committed.next();
  }
}

import type { RequestListener, Server } from 'node:http';
import { type BeforeApplicationShutdown, Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.types.js';
import { Problems } from '../problems/problem.js';
import { listening } from '../process/cannot-start.js';
import { closeServer } from './close-server.js';
import { createHttpServer } from './server.js';

/**
 * Ports beside the main one, such as that of the metrics. The platform is the last module to stop, so
 * they close after all work has ended, right before the main server.
 */
@Injectable()
export class Listeners implements BeforeApplicationShutdown {
  private readonly servers: Server[] = [];

  constructor(
    private readonly problems: Problems,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** @param name of the variable that says which port @throws CannotStart */
  async open(listener: RequestListener, name: string, port: number): Promise<void> {
    const { host, baseUrl } = this.config;
    const server = createHttpServer(listener, { problems: this.problems, baseUrl });
    this.servers.push(server);
    const opened = new Promise<void>((resolve, reject) =>
      server.once('error', reject).listen(port, host, () => resolve()),
    );
    await listening(name, port, host, opened);
  }

  /** Requests that are under way are answered; streams have been ended by their owners. */
  async beforeApplicationShutdown(): Promise<void> {
    await Promise.all(this.servers.map((server) => closeServer(server)));
  }
}

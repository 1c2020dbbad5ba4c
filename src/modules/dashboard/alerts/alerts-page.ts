import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { AuditLog } from '../../accounts/audit/audit-log.service.js';
import { AlertsService } from '../../alerts/alerts.service.js';
import type { Say } from '../language/say.js';
import type { RequestContext } from '../session/request-context.js';
import { type Acknowledge, alertsView, readAlertsQuery } from './alerts.view.js';

/** Whose alerts a page is about, and what this person may do with them. */
export interface AlertsScope {
  /** Of the list. */
  readonly path: string;
  /** `null` is the operator's. */
  readonly merchantId: string | null;
  /** `null` where they may not. */
  readonly acknowledge: Acknowledge | null;
}

/** The list and its one form, for a merchant's staff and for the operator alike. */
@Injectable()
export class AlertsPage {
  constructor(
    private readonly dataSource: DataSource,
    private readonly alerts: AlertsService,
    private readonly audit: AuditLog,
  ) {}

  async list(
    context: RequestContext,
    scope: AlertsScope,
    query: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    await context.page('alerts/list', await this.model(context.say, scope, query));
  }

  async acknowledge(context: RequestContext, scope: AlertsScope, id: string): Promise<void> {
    const { actor, form } = context;
    const note = form.text('note') || null;
    try {
      await this.dataSource.transaction((tx) =>
        this.alerts.acknowledge(tx, id, this.audit.by(actor), { note, whose: scope.merchantId }),
      );
    } catch (error) {
      const typed = { id, note: form.text('note') };
      return context.refused(error, 'alerts/list', await this.model(context.say, scope, {}, typed));
    }
    context.redirect(scope.path, context.say('Noted. Nobody is reminded of it any more.'));
  }

  private async model(
    say: Say,
    scope: AlertsScope,
    query: Readonly<Record<string, unknown>>,
    typed: { readonly id: string; readonly note: string } | null = null,
  ) {
    const asked = readAlertsQuery(query);
    const found = await this.alerts.list({ merchantId: scope.merchantId, ...asked });
    return alertsView(say, scope.path, found, asked, scope.acknowledge, typed);
  }
}

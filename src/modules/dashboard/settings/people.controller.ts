import { Get, Param, Post } from '@nestjs/common';
import { notFound, wrongField } from '../../../kernel/domain-error.js';
import { type Invited, type PersonView, type Role, ROLES } from '../../accounts/accounts.types.js';
import { InvitationsService } from '../../accounts/people/invitations.service.js';
import { MembersService } from '../../accounts/people/members.service.js';
import { ROLE_NAMES } from '../language/roles.js';
import type { Say } from '../language/say.js';
import { pathTo } from '../paths.http.js';
import { Allow, CurrentContext, DashboardController } from '../session/allow.js';
import { RequestContext } from '../session/request-context.js';
import { invitedView, inviteView, peopleView, personView } from './people.view.js';
import { settingsTabs } from './tabs.js';

/** Who works for the merchant, and as what. */
@DashboardController('people')
export class PeopleController {
  constructor(
    private readonly members: MembersService,
    private readonly invitations: InvitationsService,
  ) {}

  @Get()
  @Allow('people:manage')
  async list(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, who, say } = context;
    const [people, open] = await Promise.all([
      this.members.list(merchantId),
      this.invitations.open(merchantId),
    ]);
    await context.page(
      'settings/people',
      peopleView(say, settingsTabs(say, who, 'People'), people, open, who.personId),
    );
  }

  @Get('new')
  @Allow('people:manage', { fresh: true })
  async ask(@CurrentContext() context: RequestContext): Promise<void> {
    await context.page('settings/person-new', this.form(context));
  }

  @Post()
  @Allow('people:manage', { fresh: true })
  async invite(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, form, actor, say } = context;
    const email = form.text('email');
    let invited: Invited;
    try {
      invited = await this.invitations.invite(
        { email, merchantId, role: roleOf(say, form.text('role')) },
        actor,
      );
    } catch (error) {
      return context.refused(error, 'settings/person-new', this.form(context));
    }
    await context.page('settings/person-invited', invitedView(say, invited));
  }

  @Post('withdraw')
  @Allow('people:manage')
  async withdraw(@CurrentContext() context: RequestContext): Promise<void> {
    const { merchantId, form, actor } = context;
    const wasOpen = await this.invitations.withdraw(merchantId, form.text('email'), actor);
    context.redirect(
      pathTo('people'),
      context.say(wasOpen ? 'The invitation is withdrawn.' : 'That invitation is no longer open.'),
    );
  }

  @Get(':id')
  @Allow('people:manage', { fresh: true })
  async show(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    await context.page('settings/person', this.personModel(context, await this.find(context, id)));
  }

  @Post(':id/role')
  @Allow('people:manage', { fresh: true })
  async setRole(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const { merchantId, form, actor, who, say } = context;
    const person = await this.find(context, id);
    const wanted = form.text('role');
    let role: Role;
    try {
      role = roleOf(say, wanted);
      await this.members.setRole(merchantId, id, role, actor);
    } catch (error) {
      return context.refused(error, 'settings/person', this.personModel(context, person, wanted));
    }
    const isStillOwner = id !== who.personId || role === 'owner';
    const said = say('{email} is {role} now.', { email: person.email, role: say(ROLE_NAMES[role]) });
    context.redirect(pathTo(isStillOwner ? 'people' : 'settings'), said);
  }

  @Post(':id/remove')
  @Allow('people:manage', { fresh: true })
  async remove(@CurrentContext() context: RequestContext, @Param('id') id: string): Promise<void> {
    const { merchantId, actor, who } = context;
    const person = await this.find(context, id);
    try {
      await this.members.remove(merchantId, id, actor);
    } catch (error) {
      return context.refused(error, 'settings/person', this.personModel(context, person));
    }
    context.redirect(
      pathTo(id === who.personId ? 'home' : 'people'),
      context.say('{email} no longer has access.', { email: person.email }),
    );
  }

  /** @throws DomainError `not-found`, for another merchant's people too */
  private async find({ merchantId }: RequestContext, id: string): Promise<PersonView> {
    const person = (await this.members.list(merchantId)).find((one) => one.id === id);
    if (!person) throw notFound('There is no such person here.');
    return person;
  }

  private personModel({ who, say }: RequestContext, person: PersonView, chosen: string = person.role) {
    return personView(say, settingsTabs(say, who, 'People'), person, chosen, person.id === who.personId);
  }

  private form({ who, form, say }: RequestContext) {
    return inviteView(say, settingsTabs(say, who, 'People'), {
      email: form.text('email'),
      role: form.text('role'),
    });
  }
}

/** @throws DomainError `validation-error` */
function roleOf(say: Say, text: string): Role {
  const role = ROLES.find((one) => one === text);
  const roles = () => ROLES.map((one) => say(ROLE_NAMES[one])).join(', ');
  if (!role) throw wrongField('role', say('A role is one of {roles}.', { roles: roles() }));
  return role;
}

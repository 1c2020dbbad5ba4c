import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { about, DomainError, notFound, wrongField } from '../../../kernel/domain-error.js';
import { newId } from '../../../kernel/ids.js';
import { characterCount } from '../../../kernel/text/character-count.js';
import { MAX_SAVED_VIEWS, MAX_VIEW_NAME_CHARS, type SavedView, type ViewsOwner } from '../accounts.types.js';
import { MembershipsRepository } from '../data/memberships.repository.js';
import { SavedViewsRepository } from './data/saved-views.repository.js';

/** As JSON; the table takes a little more, with its spaces. A search of 255 characters fits in any script. */
const MAX_PARAMETERS_BYTES = 1_900;

/** What each person has saved of a merchant's list of payments. No role sees or changes another person's. */
@Injectable()
export class SavedViewsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly views: SavedViewsRepository,
    private readonly memberships: MembershipsRepository,
  ) {}

  list(owner: ViewsOwner): Promise<SavedView[]> {
    return this.views.list(owner);
  }

  /** @throws DomainError `not-found`, for a colleague's too */
  async get(owner: ViewsOwner, id: string): Promise<SavedView> {
    const view = (await this.views.list(owner)).find((one) => one.id === id);
    if (!view) throw unknown();
    return view;
  }

  /** @throws DomainError `validation-error`; `conflict` for a name that is taken, and where there is no room */
  async save(
    owner: ViewsOwner,
    name: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<SavedView> {
    const view = { id: newId('sv'), name: checkedName(name), parameters };
    if (Buffer.byteLength(JSON.stringify(parameters)) > MAX_PARAMETERS_BYTES)
      throw new DomainError('invalid', 'validation-error', 'This search is too long to be saved.');
    await this.named(owner, view, async (tx) => {
      if (await this.views.insert(tx, owner, view, MAX_SAVED_VIEWS)) return;
      const text = `You have ${MAX_SAVED_VIEWS} saved views. Delete one first.`;
      throw new DomainError('conflict', 'conflict', text);
    });
    return view;
  }

  /** @throws DomainError `validation-error`, `not-found`; `conflict` for a name that is taken */
  rename(owner: ViewsOwner, id: string, name: string): Promise<SavedView> {
    const view = { id, name: checkedName(name) };
    return this.named(owner, view, async (tx) => {
      const renamed = await this.views.rename(tx, owner, id, view.name);
      if (!renamed) throw unknown();
      return renamed;
    });
  }

  /** @throws DomainError `not-found` */
  async remove(owner: ViewsOwner, id: string): Promise<SavedView> {
    const view = await this.views.remove(owner, id);
    if (!view) throw unknown();
    return view;
  }

  /** Under the membership's lock: two tabs at the same moment would both find the name free, or the last place. */
  private named<T>(
    owner: ViewsOwner,
    { id, name }: Pick<SavedView, 'id' | 'name'>,
    act: (tx: EntityManager) => Promise<T>,
  ): Promise<T> {
    return this.dataSource.transaction(async (tx) => {
      if (!(await this.memberships.lock(tx, owner.personId, owner.merchantId))) throw unknown();
      if (await this.views.isTaken(tx, owner, name, id)) {
        const text = 'You have a view of this name already.';
        throw new DomainError('conflict', 'conflict', text, about('name', text));
      }
      return act(tx);
    });
  }
}

/** @throws DomainError `validation-error` */
function checkedName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === '' || characterCount(trimmed) > MAX_VIEW_NAME_CHARS)
    throw wrongField('name', `Give the view a name of at most ${MAX_VIEW_NAME_CHARS} characters.`);
  return trimmed;
}

const unknown = () => notFound('There is no such saved view.');

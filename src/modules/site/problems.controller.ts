import { Controller, Get, Header, Inject, NotFoundException, Param } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.types.js';
import { OpenToAll } from '../../platform/http/route-access.js';
import { ApiExcludeController } from '../../platform/openapi/decorators.js';
import { problemExample } from './problem-example.js';
import { isProblemSlug } from './problems.pure.js';
import { PROBLEM_TYPES } from './problems.types.js';
import { SitePages } from './site.pages.js';
import { withoutMarkdown } from './views/without-markdown.js';

/** The pages that `type` of a problem document links to. */
@ApiExcludeController()
@Controller('problems')
export class ProblemsController {
  constructor(
    private readonly pages: SitePages,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @OpenToAll('the kinds of problems are public')
  @Header('Content-Type', 'text/html; charset=utf-8')
  index(): string {
    const problems = Object.entries(PROBLEM_TYPES).map(([slug, type]) => ({ slug, ...type }));
    return this.pages.render('site/problems', { title: 'Problems', problems });
  }

  @Get(':slug')
  @OpenToAll('the kinds of problems are public')
  @Header('Content-Type', 'text/html; charset=utf-8')
  get(@Param('slug') slug: string): string {
    if (!isProblemSlug(slug)) throw new NotFoundException();
    const { status, title, cause, fix } = PROBLEM_TYPES[slug];
    const example = JSON.stringify(problemExample(slug, this.config.baseUrl, '/api/v1/intents'), null, 2);
    return this.pages.render('site/problem', {
      title,
      slug,
      status,
      cause: withoutMarkdown(cause),
      fix: withoutMarkdown(fix),
      example,
    });
  }
}

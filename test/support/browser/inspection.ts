import { createRequire } from 'node:module';
import { HtmlValidate, type ResolvedConfig, StaticConfigLoader } from 'html-validate';
import type { Page } from 'playwright-core';

/**
 * axe as `@axe-core/playwright` brings it, but loaded once for each page: its builder loads it anew for every look,
 * which takes three times as long. For `context.addInitScript`.
 */
export const AXE_FILE = createRequire(
  createRequire(import.meta.filename).resolve('@axe-core/playwright'),
).resolve('axe-core/axe.min.js');
const AXE_TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** The same rules for every page, which it would read anew for each. */
class OneConfig extends StaticConfigLoader {
  private readonly config = super.getConfigFor('') as ResolvedConfig;

  override getConfigFor(): ResolvedConfig {
    return this.config;
  }
}

const HTML_RULES = new HtmlValidate(
  new OneConfig({
    extends: ['html-validate:recommended', 'html-validate:document'],
    rules: {
      'doctype-style': ['error', { style: 'lowercase' }],
      'void-style': 'off', // Prettier's business
      // Integrity guards against a foreign host. Ours serves page and files alike, and the CSP allows no other.
      'require-sri': ['error', { target: 'crossorigin' }],
    },
  }),
);

interface AxeResults {
  readonly violations: { id: string; nodes: { html: string; failureSummary: string }[] }[];
}

export async function axeFindings(page: Page): Promise<string[]> {
  const options = JSON.stringify({ runOnly: AXE_TAGS, resultTypes: ['violations'], preload: false });
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${options})`);
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

export async function htmlFindings(html: string): Promise<string[]> {
  const { results } = await HTML_RULES.validateString(html);
  return results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId}: ${message}`));
}

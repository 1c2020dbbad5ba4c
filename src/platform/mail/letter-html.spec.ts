import { letterHtml } from './letter-html.js';

const OWN = 'https://api.shop.example';
const letter = (text: string, subject = 'A subject') => letterHtml({ subject, text, language: 'en' }, OWN);

it('says the words of the text, a paragraph each, under the subject', () => {
  const html = letter('One.\nTwo.\n\nThree.\n');
  expect(html).toContain('<h1>A subject</h1>\n<p>One.<br>\nTwo.</p>\n<p>Three.</p>\n</div>');
  expect(html).toContain('<p class="letter-head">Rappen</p>');
});

it('links to our own pages alone', () => {
  const html = letter(
    `Look at it: ${OWN}/dashboard?a=1&b="2"\n\nhttps://evil.example/x ${OWN}.evil.example/y`,
  );
  expect(html.match(/<a /g)).toHaveLength(1);
  expect(html).toContain(`<a href="${OWN}/dashboard?a=1&amp;b=&quot;2&quot;">`);
  expect(html).toContain('<p>https://evil.example/x');
});

it.each(['.', ',', ').', '?', '!', ';', '»'])('leaves %s behind a link outside of it', (end) => {
  const path = `/dashboard/link/${'x'.repeat(300)}?a=1.5`;
  expect(letter(`Open ${OWN}${path}${end}`)).toContain(`>${OWN}${path}</a>${end}</p>`);
});

it('shows what strangers wrote as words', () => {
  const hostile = '<script>alert(1)</script>"><img src=x>&amp;';
  const html = letterHtml({ subject: hostile, text: hostile, language: 'en' }, OWN, {
    name: hostile,
    line: { light: '#111111', dark: '#f3f3f0' },
    logo: null,
  });
  expect(html).not.toMatch(/<script|<img|&amp;(?!amp;)/);
  expect(html.match(/&lt;script&gt;/g)).toHaveLength(4);
});

it('has a logo in the mail itself, and loads nothing from anywhere', () => {
  const html = letterHtml({ subject: 's', text: 't', language: 'de' }, OWN, {
    name: 'Alpine Coffee',
    line: { light: '#0a5c36', dark: '#f3f3f0' },
    logo: { width: 80, height: 32, ground: '#101010' },
  });
  expect(html).toContain('<img src="cid:logo" width="80" height="32" alt="">Alpine Coffee');
  expect(html).toContain('2px solid #0a5c36');
  expect(html).toContain('background:#101010;vertical-align');
  expect(html).toContain('.letter-head{border-color:#f3f3f0}');
  expect(html).not.toMatch(/(src|href)="(?!cid:logo)|url\(|@import/);
});

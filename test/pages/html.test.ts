import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { address, Html, html } from '../../src/pages/layout/html.ts';

describe('the template tag', () => {
  const cases: { name: string; html: Html; expected: string }[] = [
    {
      name: 'a template without values stays as it is',
      html: html`<p class="a">&amp; 'x'</p>`,
      expected: '<p class="a">&amp; \'x\'</p>',
    },
    { name: 'text is put where it stands', html: html`<p>${'a'}-${'b'}</p>`, expected: '<p>a-b</p>' },
    {
      name: 'an element in text is escaped',
      html: html`<p>${'<script>alert(1)</script>'}</p>`,
      expected: '<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>',
    },
    {
      name: 'a double quote cannot leave an attribute',
      html: html`<a title="${'" onclick="x'}">`,
      expected: '<a title="&quot; onclick=&quot;x">',
    },
    {
      name: 'a single quote cannot leave an attribute',
      html: html`<a title='${"' onclick='x"}'>`,
      expected: "<a title='&#39; onclick=&#39;x'>",
    },
    { name: 'an ampersand is escaped, once', html: html`${'a & b &lt; c'}`, expected: 'a &amp; b &amp;lt; c' },
    {
      name: 'every character that matters is escaped, each time',
      html: html`${'&<>"\'&<>"\''}`,
      expected: '&amp;&lt;&gt;&quot;&#39;&amp;&lt;&gt;&quot;&#39;',
    },
    { name: 'other text is left alone', html: html`${'Zoë 😀 `$1 $$ {x}'}`, expected: 'Zoë 😀 `$1 $$ {x}' },
    { name: 'a number is written', html: html`${42} ${0}`, expected: '42 0' },
    {
      name: 'nothing is written for undefined, false and an empty text',
      html: html`[${undefined}${false}${''}]`,
      expected: '[]',
    },
    {
      name: 'Html inside Html is not escaped again',
      html: html`<ul>${html`<li>${'<'}</li>`}</ul>`,
      expected: '<ul><li>&lt;</li></ul>',
    },
    {
      name: 'a list of Html is joined',
      html: html`<ul>${['<', '>'].map((text) => html`<li>${text}</li>`)}</ul>`,
      expected: '<ul><li>&lt;</li><li>&gt;</li></ul>',
    },
    { name: 'an empty list is nothing', html: html`<ul>${[]}</ul>`, expected: '<ul></ul>' },
    { name: 'Html made from text is taken as it is', html: html`${new Html('<b>')}`, expected: '<b>' },
  ];
  for (const c of cases) {
    test(c.name, () => {
      assert.ok(c.html instanceof Html);
      assert.equal(c.html.text, c.expected);
    });
  }

  test('an object that only looks like Html is escaped', () => {
    const forged = JSON.parse('{"text":"<script>"}');
    assert.throws(() => html`${forged}`);
  });
});

test('an email address and a URL can be broken after an @, a dot and a slash', () => {
  const cases: Readonly<Record<string, string>> = {
    'ada@example.com': 'ada@<wbr>example.<wbr>com',
    'https://id.example/a/b': 'https://<wbr>id.<wbr>example/<wbr>a/<wbr>b',
    'jo-an@a-b.example': '<span>jo-an@</span><wbr><span>a-b.</span><wbr>example',
    '<b>@x.y': '&lt;b&gt;@<wbr>x.<wbr>y',
    // It may have to be broken.
    'a-very-long-name-of-somebody@x': 'a-very-long-name-of-somebody@<wbr>x',
    '': '',
  };
  for (const [text, expected] of Object.entries(cases)) {
    assert.equal(address(text).text, `<bdi class="address">${expected}</bdi>`);
  }
});

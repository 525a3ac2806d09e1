// The words around the documentation. The documentation itself is in docs/, in English like the console.

export const docsMessages = {
  title: 'Documentation',
  nav: 'Documentation',
  menu: 'Menu',
  onThisPage: 'On this page',
  pager: 'Previous and next page',
  previous: 'Previous',
  next: 'Next',
  copy: 'Copy',
  copied: 'Copied',
  table: 'Table',
  code: 'Code',
  linkTo: (heading: string) => `Link to “${heading}”`,
  search: {
    title: 'Search',
    label: 'Search the documentation',
    placeholder: 'Search docs',
    submit: 'Search',
    empty: 'Enter a word, a setting, a command or an error code.',
    none: (query: string) => `No results for “${query}”. Check the spelling, or try fewer words.`,
    found: (count: number, query: string) => `${count === 1 ? '1 result' : `${count} results`} for “${query}”`,
    best: (count: number, query: string) => `Top ${count} results for “${query}”`,
  },
  /** Of the emails that a development service would have sent. */
  outbox: {
    title: 'Outbox',
    lead: "Emails this service would have sent. It's running in development mode, without a mail server.",
    json: 'All of them as JSON',
    all: 'All emails',
    none: 'No emails yet.',
    to: 'To',
  },
  groups: { start: 'Get started', build: 'Build', operate: 'Operate', reference: 'Reference' },
};

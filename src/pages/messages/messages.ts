// The words of every page and email. The languages are in pages/languages; the console and the documentation stay in
// English.

import type { Catalogue } from '../languages/en.ts';

export type { Messages } from '../languages/languages.ts';
export type ErrorTopic = Exclude<keyof Catalogue['errors'], 'reference' | 'home'>;

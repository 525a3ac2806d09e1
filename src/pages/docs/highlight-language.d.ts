// A language of highlight.js, which only highlight.js itself looks into.

declare const language: unknown;
export default language;

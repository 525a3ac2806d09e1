// What we use of highlight.js. Its own types would bring the types of browsers into every file of the project.

declare const highlighter: {
  registerLanguage(name: string, language: unknown): void;
  getLanguage(name: string): unknown;
  highlight(code: string, options: { language: string; ignoreIllegals: boolean }): { value: string };
};
export default highlighter;

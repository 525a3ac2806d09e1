// The HTML around every page, and escaping.

export function page(title: string, body: string): string {
  return pageStart(title) + body + pageEnd;
}

/** Everything before the content, for a page that is streamed. */
export function pageStart(title: string, options: { inspector?: boolean; broad?: boolean } = {}): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
${options.inspector ? '<link rel="stylesheet" href="/inspector.css">' : ''}
</head>
<body class="${options.broad ? 'recorded' : 'single wide'}">
${options.broad ? '' : '<header class="bar"><a class="brand" href="/">Demo application</a></header>'}
<main class="${options.broad ? 'broad' : 'sheet'}">
`;
}

export const pageEnd = `
</main>
</body>
</html>
`;

/** The inspector, at a step if one is given. */
export function inspectorPath(anchor: string | undefined): string {
  return anchor === undefined ? '/inspector' : `/inspector#${anchor}`;
}

export function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

// What changes a service before its own code is loaded, without being a part of it.

/** For the environment of a service. */
export function preloading(name: 'frequent-sweeps' | 'moved-clock'): Record<string, string> {
  return { NODE_OPTIONS: `--import=${new URL(`${name}.ts`, import.meta.url).href}` };
}

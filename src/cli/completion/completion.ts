// `latchkey completion …`: prints the script with which a shell completes commands. The scripts ask `latchkey __complete`
// at every key press, so they fit any version.

import { readFileSync } from 'node:fs';
import { defineCommand } from '../frame/define.ts';
import type { Command, CommandGroup } from '../frame/spec.ts';
import { summaries } from '../summaries.ts';

export const completion: CommandGroup = {
  summary: summaries.completion,
  details: `Completes commands, options and their values, and from the store: client IDs, email addresses, groups, API keys and
webhooks. Reading the store needs the service's environment, and changes nothing.`,
  examples: [
    'source <(latchkey completion bash)',
    'latchkey completion fish > ~/.config/fish/completions/latchkey.fish',
  ],
  commands: {
    bash: scriptFor('bash', 'To load it in every shell, add the first line below to ~/.bashrc.', [
      'source <(latchkey completion bash)',
      'latchkey completion bash > /etc/bash_completion.d/latchkey',
    ]),
    zsh: scriptFor('zsh', 'To load it in every shell, add the first line below to ~/.zshrc.', [
      'source <(latchkey completion zsh)',
      'latchkey completion zsh > ~/.zsh/completions/_latchkey',
    ]),
    fish: scriptFor('fish', 'Save it once, and every new shell loads it.', [
      'latchkey completion fish > ~/.config/fish/completions/latchkey.fish',
    ]),
  },
};

function scriptFor(shell: string, details: string, examples: readonly string[]): Command {
  return defineCommand({
    summary: `print the script for ${shell}`,
    details,
    examples,
    run: () => void process.stdout.write(readFileSync(new URL(`./latchkey.${shell}`, import.meta.url), 'utf8')),
  });
}

// The command line: finds the command and turns its errors into a sentence and an exit status: 0 for success, 1 if the
// command failed, 2 if it wasn't understood.

import { hasChanged, trackChanges } from '../platform/changes.ts';
import { ConfigurationError } from '../platform/config.ts';
import { ownVersion } from '../platform/version.ts';
import { OutcomeUnknown, StorageUnavailable, StoreUnusable, UnusableText } from '../storage/driver.ts';
import { CommandFailed, UsageError } from './command.ts';
import { commandNames, findCommand, loadCommand, overview, requireKnown, requireRunnable } from './commands.ts';
import { printHelp, printOverview } from './frame/help.ts';
import { type AnyCommand, isGroup } from './frame/spec.ts';
import { didYouMean } from './frame/suggest.ts';
import { isChanging, print, printError, styled } from './terminal/output.ts';

/** Milliseconds: enough to write what has been printed. */
const exitAfterFailure = 1000;

async function main(args: readonly string[]): Promise<number> {
  const [first, ...others] = args;
  if (first === undefined || first === '--help' || first === '-h' || (first === 'help' && others.length === 0)) {
    printOverview(overview);
    return first === undefined ? 2 : 0;
  }
  if (first === '--version') {
    print(ownVersion());
    return 0;
  }
  // "help client create" is "client create --help".
  const [name = '', ...rest] = first === 'help' ? [...others, '--help'] : args;
  if (name === '__complete') {
    const { printCompletions } = await import('./completion/complete.ts');
    await printCompletions(rest, process.env);
    // A store that doesn't answer isn't waited for.
    process.exit(0);
  }
  const command = await loadCommand(name);
  if (command === undefined) {
    const unknown = `unknown command "${name}"${didYouMean(name, [...commandNames, '--help', '--version'])}`;
    return complain(`${finished(unknown)} Run "latchkey --help" for a list.`, 2);
  }
  const found = findCommand(name, command, rest);
  return trackChanges(async () => {
    try {
      if (rest.includes('--help') || rest.includes('-h')) {
        requireKnown(found);
        printHelp(found.path, found.command);
        return 0;
      }
      const runnable = requireRunnable(found);
      return await runnable.command.run(runnable.words, process.env);
    } catch (error) {
      const status = error instanceof UsageError ? 2 : statusOfFailure(found.command);
      return complain(explain(error, ['latchkey', ...found.path].join(' ')), status);
    }
  });
}

function statusOfFailure(command: AnyCommand): number {
  return isGroup(command) ? 1 : (command.failure ?? 1);
}

/** A sentence for the operator. */
function explain(error: unknown, name: string): string {
  if (error instanceof UsageError) return `${finished(error.message)} Run "${name} --help" for usage.`;
  if (error instanceof CommandFailed || error instanceof ConfigurationError || error instanceof StoreUnusable) {
    return error.message;
  }
  if (error instanceof OutcomeUnknown || (error instanceof StorageUnavailable && hasChanged())) {
    return `lost the connection to the store (${error.message}). The change may have been saved: check before you try again.`;
  }
  if (error instanceof StorageUnavailable) {
    return `the store isn't available right now (${error.message}). Nothing was changed.`;
  }
  if (error instanceof UnusableText) return `${error.message}, which can't be stored. Nothing was changed.`;
  return `unexpected error: ${error instanceof Error ? error.stack : error}`;
}

/** A message that ends with a question has its punctuation already. */
function finished(message: string): string {
  return message.endsWith('?') ? message : `${message}.`;
}

function complain(sentence: string, status: number): number {
  printError(styled('red', 'latchkey:'), ` ${sentence}`);
  // A command that has failed ends, even if something that it has opened would keep the process alive.
  setTimeout(() => process.exit(), exitAfterFailure).unref();
  return status;
}

process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  // The reader has closed the pipe (`latchkey events | head`).
  if (error.code === 'EPIPE') return isChanging() ? undefined : process.exit(0);
  complain(`can't write to standard output: ${error.message}.`, 1);
  process.exit(1);
});
// Nothing reads the complaints (`latchkey events 2>&1 | head`); the exit status still says it.
process.stderr.on('error', () => {});
process.exitCode = await main(process.argv.slice(2));

// What every page needs, whatever is on it.

import type { Messages } from '../messages/messages.ts';
import type { Html } from './html.ts';

export type Script = 'passkeys' | 'copy' | 'passwords';

export interface Frame {
  readonly messages: Messages;
  /** Paths of the stylesheets, the icon and the scripts, with their version. */
  readonly assets: {
    readonly stylesheet: string;
    readonly consoleStylesheet: string;
    readonly icon: string;
    readonly scripts: Readonly<Record<Script, string>>;
  };
  /** What stands at the foot of every page. */
  readonly footer?: Html | undefined;
}

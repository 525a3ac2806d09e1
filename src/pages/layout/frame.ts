// What every page needs, whatever is on it.

import type { Brand } from '../../protocol/brand/brand.ts';
import type { Messages } from '../messages/messages.ts';

export type Script = 'passkeys' | 'copy' | 'passwords' | 'times' | 'files';

export interface Frame {
  readonly messages: Messages;
  /** Paths of the stylesheets, the icon and the scripts, with their version. */
  readonly assets: {
    readonly stylesheet: string;
    readonly consoleStylesheet: string;
    readonly icon: string;
    readonly scripts: Readonly<Record<Script, string>>;
  };
  readonly brand: Brand;
  /** Where the page is shown again after another language was picked; undefined where none can be. */
  readonly returnTo?: string | undefined;
}

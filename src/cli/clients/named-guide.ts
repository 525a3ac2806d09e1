// A guide by the name that somebody has typed.

import { type Guide, guideCalled, guideNames } from '../../platform/client-guides.ts';
import { UsageError } from '../command.ts';
import { didYouMean } from '../frame/suggest.ts';

export function findGuide(wanted: string): Guide {
  const guide = guideCalled(wanted);
  if (guide !== undefined) return guide;
  const names = guideNames();
  const meant = didYouMean(wanted, names) || '.';
  const instead = names.length > 0 ? `${meant} Guides: ${names.join(', ')}` : ' in this installation';
  throw new UsageError(`there's no guide for "${wanted}"${instead}`);
}

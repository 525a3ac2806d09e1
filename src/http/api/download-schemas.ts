// What operations that answer with lines of text have in common.

import { Type } from 'typebox';
import type { DownloadFormat } from '../../operations/downloads/list-download.ts';
import { downloadTypes } from '../downloads/downloads.ts';
import type { Download } from './define-operation.ts';

export const namesOfFormats: Record<DownloadFormat, string> = { csv: 'CSV', jsonl: 'JSON Lines' };
export const downloadFormats: readonly DownloadFormat[] = ['csv', 'jsonl'];

export const Lines = (format: DownloadFormat) =>
  Type.Unsafe<Download>({ type: 'string', contentMediaType: downloadTypes[format] });

// Lines of CSV: what a spreadsheet would take for a formula is text, whatever character it splits cells at.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { csvLine } from '../../../src/protocol/admin/file-formats.ts';

const cases: readonly [value: string, written: string][] = [
  ['Ada; Countess', 'Ada; Countess'],
  ['a-b+c@d=e', 'a-b+c@d=e'],
  ['Quo"te, comma', '"Quo""te, comma"'],
  ['=1+1', "'=1+1"],
  ['\tx', "'\tx"],
  ['Ada;=1+1', "Ada;'=1+1"],
  ['Ada;+1', "Ada;'+1"],
  ['Ada;-1;@SUM(A1)', "Ada;'-1;'@SUM(A1)"],
  ['Ada; =1+1', "Ada; '=1+1"],
  ['Ada;"=1+1"', `"Ada;""'=1+1"""`],
  ['Ada\t=1+1', "Ada\t'=1+1"],
  ['Ada\r=1+1', `"Ada\r'=1+1"`],
  ['Ada\r\n@SUM(A1)', `"Ada\r\n'@SUM(A1)"`],
  [';=1+1', ";'=1+1"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['﹦1+1', "'﹦1+1"],
  ['Ada;＝1+1', "Ada;'＝1+1"],
  ['Ada ＝ Countess', 'Ada ＝ Countess'],
];
for (const [value, written] of cases) {
  test(`a cell with ${JSON.stringify(value)}`, () => {
    assert.equal(csvLine(['id', value, null, -1]), `id,${written},,-1\r\n`);
  });
}

// Puts the times among which someone chooses when something ends into the reader's time zone, and says which one is chosen.
// What is sent is in UTC and says so. Without this script, the field is in UTC.

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short' });
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full' });
const exactClock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
});

/** As the field has it. */
function localText(time) {
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** The last millisecond of the quarter that the reader is in. */
function endOfQuarter() {
  const now = new Date();
  return new Date(new Date(now.getFullYear(), Math.floor(now.getMonth() / 3) * 3 + 3, 1) - 1);
}

function timeOf(text) {
  if (/^\d+d$/.test(text)) return new Date(Date.now() + Number.parseInt(text, 10) * 86_400_000);
  const time = new Date(text.includes('T') ? text : Number.NaN);
  return Number.isNaN(time.getTime()) ? undefined : time;
}

for (const place of document.querySelectorAll('[data-end]')) {
  const [choice, field] = [place.querySelector('select'), place.querySelector('input')];
  const said = place.parentElement.querySelector('[data-chosen]');
  for (const option of choice.options) {
    const time = timeOf(option.value);
    if (option.value === 'quarter') option.value = endOfQuarter().toISOString();
    else if (time !== undefined && option.value.includes('T')) option.textContent = moment.format(time);
  }
  const sent = document.createElement('input');
  Object.assign(sent, { type: 'hidden', name: field.name });
  field.removeAttribute('name');
  place.append(sent);

  // A browser that restores what was typed would restore it into a field that meant UTC.
  const first = timeOf(`${field.defaultValue}Z`);
  field.value = first === undefined ? '' : localText(first);
  const firstText = field.value;
  /** Of the two hours with one name when clocks go back, what isn't touched stays the one that it was. */
  const timeInField = () => (field.value === firstText ? first : timeOf(field.value));

  let last = timeOf(choice.value);
  const update = () => {
    const isOwn = choice.value === place.dataset.end;
    if (isOwn && field.value === '' && last !== undefined) field.value = localText(last);
    Object.assign(field, { disabled: !isOwn, required: isOwn });
    const time = isOwn ? timeInField() : timeOf(choice.value);
    last = time ?? last;
    sent.value = isOwn ? (time?.toISOString() ?? '') : '';
    said.textContent =
      time === undefined
        ? said.dataset.own.replace('%s', timeZone)
        : said.dataset.chosen.replace('%s', `${exact.format(time)} at ${exactClock.format(time)}`);
  };
  choice.addEventListener('change', update);
  field.addEventListener('input', () => {
    last = undefined;
    update();
  });
  update();
}

// Shows times in the reader's time zone, as the page's language writes them, with the exact time in a tooltip.

const language = document.documentElement.lang;
// English dates begin with the day here, as on the server.
const locale = language === 'en' ? 'en-GB' : language;
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long' });
const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeStyle: 'short' });
const clock = { hour: '2-digit', minute: '2-digit' };
const hour = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'long', ...clock });
const short = new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', ...clock });
const exact = new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' });
const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });

const startOfDay = (time) => new Date(time).setHours(0, 0, 0, 0);
const capitalized = (text) => text.charAt(0).toLocaleUpperCase(language) + text.slice(1);

const writers = {
  day: (time) => day.format(time),
  moment: (time) => moment.format(time),
  hour: (time) => hour.format(time),
  short: (time) => short.format(time),
  clock: (time) => time.toLocaleTimeString(locale, clock),
  recent(time) {
    const days = Math.round((startOfDay(time) - startOfDay(Date.now())) / 86_400_000);
    return days < -1 ? day.format(time) : capitalized(relative.format(Math.min(0, days), 'day'));
  },
  ago(time) {
    const seconds = (time - Date.now()) / 1000;
    const steps = [
      [60, 'second', 1],
      [3600, 'minute', 60],
      [86_400, 'hour', 3600],
      [30 * 86_400, 'day', 86_400],
    ];
    const step = steps.find(([limit]) => Math.abs(seconds) < limit);
    return step === undefined ? day.format(time) : relative.format(Math.round(seconds / step[2]), step[1]);
  },
};

function showTimes() {
  for (const element of document.querySelectorAll('time[data-time]')) {
    const time = new Date(element.dateTime);
    element.textContent = writers[element.dataset.time](time);
    element.title = exact.format(time);
  }
}

showTimes();
document.addEventListener('latchkey:replaced', showTimes);
for (const element of document.querySelectorAll('[data-zone]')) {
  element.textContent = element.dataset.zone.replace('%s', Intl.DateTimeFormat().resolvedOptions().timeZone);
}

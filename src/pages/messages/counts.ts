// Counted nouns.

export const people = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en')} people`);

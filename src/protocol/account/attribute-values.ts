// The values of a person's attributes, by the attribute's name.

export type AttributeValue = string | number | boolean | readonly string[];

export type AttributeValues = Readonly<Record<string, AttributeValue>>;

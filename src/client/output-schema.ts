// Checks structured results against the schema that the server declares, with our own interpreter: a schema from outside
// must never become code, and nothing is fetched for it.

import type { ClientOptions } from '@modelcontextprotocol/client';
import { describe } from '../core/json-schema/fault.ts';
import type { Schema } from '../core/json-schema/references.ts';
import { createValidator } from '../core/json-schema/validate.ts';

type Provider = NonNullable<ClientOptions['jsonSchemaValidator']>;

export const outputSchemas: Provider = {
  getValidator<T>(schema: Parameters<Provider['getValidator']>[0]) {
    const validate = createValidator(schema as Schema);
    return (input: unknown) => {
      const fault = validate(input);
      return fault === null
        ? { valid: true, data: input as T, errorMessage: undefined }
        : { valid: false, data: undefined, errorMessage: describe(fault) };
    };
  },
};

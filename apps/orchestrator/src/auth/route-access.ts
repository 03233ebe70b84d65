import { RouteConfig } from '@nestjs/platform-fastify';
import { FASTIFY_ROUTE_CONFIG_METADATA } from '@nestjs/platform-fastify/constants.js';
import type { KeyScope } from '#platform';

/** What a handler says of the requests that it takes. It is kept with the route, where it is seen before anything of a body is read. */
export interface RouteAccess {
  readonly scope?: KeyScope;
  readonly needsNoKey?: boolean;
  readonly isWholeServer?: boolean;
  readonly takesQuery?: boolean;
}

/** The configuration of a route, as the framework keeps it. */
export interface RouteSettings {
  readonly access?: RouteAccess;
}

/** Adds to what a handler says. */
export function saying(part: RouteAccess): MethodDecorator {
  return (target, name, descriptor) => {
    const access = { ...accessOf(descriptor.value as object), ...part };
    RouteConfig({ access } satisfies RouteSettings)(target, name, descriptor);
  };
}

/** What a handler says, all told. */
export function accessOf(handler: object): RouteAccess {
  const settings = Reflect.getMetadata(FASTIFY_ROUTE_CONFIG_METADATA, handler) as RouteSettings | undefined;
  return settings?.access ?? {};
}

// The gate's paths, which a proxy passes on to it.

export const checkPath = '/gate/check';
export const signInPath = '/gate/sign-in';
export const callbackPath = '/gate/callback';
export const signOutPath = '/gate/sign-out';
export const backchannelLogoutPath = '/gate/backchannel-logout';
export const healthPath = '/gate/healthz';

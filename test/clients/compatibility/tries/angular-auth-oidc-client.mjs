import '@angular/compiler';
import { provideHttpClient } from '@angular/common/http';
import { provideZonelessChangeDetection } from '@angular/core';
import { createApplication } from '@angular/platform-browser';
import { OidcSecurityService, provideAuth } from 'angular-auth-oidc-client';

const app = await createApplication({
  providers: [provideZonelessChangeDetection(), provideHttpClient(), provideAuth({ config: settings })],
});
const service = app.injector.get(OidcSecurityService);
document.querySelector('a').onclick = () => service.authorize();
service.checkAuth().subscribe(async ({ isAuthenticated, accessToken, errorMessage }) => {
  const headers = { Authorization: `Bearer ${accessToken}` };
  const person = isAuthenticated && (await (await fetch(`${settings.authority}/oauth/userinfo`, { headers })).json());
  document.querySelector('p').textContent = JSON.stringify({ isAuthenticated, person, errorMessage });
});

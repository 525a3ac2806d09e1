import os
import django
from django.conf import settings

settings.configure(
    SECRET_KEY="of this test",
    SITE_ID=1,
    INSTALLED_APPS=[
        "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sites", "django.contrib.sessions",
        "allauth", "allauth.account", "allauth.socialaccount",
    ],
)
django.setup()
from allauth.socialaccount.providers.oauth2.client import OAuth2Client

issuer, client_id = os.environ["OIDC_ISSUER"], os.environ["OIDC_CLIENT_ID"]
client = OAuth2Client(
    None, client_id, os.environ["OIDC_CLIENT_SECRET"], "POST", issuer + "/oauth/token", os.environ["OIDC_REDIRECT_URI"],
    ["openid", "profile", "email"],
)
client.state = "state"
print(client.get_redirect_url(issuer + "/oauth-authorize", {}))

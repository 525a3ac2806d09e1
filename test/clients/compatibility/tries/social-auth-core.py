import os
from social_core.backends.open_id_connect import OpenIdConnectAuth
from social_core.storage import BaseStorage
from social_core.strategy import BaseStrategy


class Strategy(BaseStrategy):
    data = {
        "OIDC_OIDC_ENDPOINT": os.environ["OIDC_ISSUER"],
        "OIDC_KEY": os.environ["OIDC_CLIENT_ID"],
        "OIDC_SECRET": os.environ["OIDC_CLIENT_SECRET"],
        "OIDC_SCOPE": ["openid", "profile", "email"],
    }
    session = {}

    def get_setting(self, name):
        return self.data[name.replace("SOCIAL_AUTH_", "")]

    def request_data(self, merge=True):
        return {}

    def request_host(self):
        return "localhost"

    def build_absolute_uri(self, path=None):
        return path

    def session_get(self, name, default=None):
        return self.session.get(name, default)

    def session_set(self, name, value):
        self.session[name] = value


class Storage(BaseStorage):
    class nonce:
        pass

    class association:
        @classmethod
        def store(cls, *args):
            pass


OpenIdConnectAuth.name = "oidc"
backend = OpenIdConnectAuth(Strategy(Storage()), redirect_uri=os.environ["OIDC_REDIRECT_URI"])
print(backend.auth_url())

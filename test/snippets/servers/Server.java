import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.springframework.web.context.support.StaticWebApplicationContext;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.mvc.method.annotation.ExceptionHandlerExceptionResolver;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Registers each bean explicitly, because Debian's Spring cannot scan class files of current Java versions. */
public final class Server {
    public static void main(String[] folder) throws Exception {
        StaticWebApplicationContext spring = new StaticWebApplicationContext();
        spring.registerSingleton("mapping", RequestMappingHandlerMapping.class);
        spring.registerSingleton("adapter", RequestMappingHandlerAdapter.class);
        spring.registerSingleton("errors", ExceptionHandlerExceptionResolver.class);
        spring.registerSingleton("welcome", WelcomeController.class);

        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(folder[0]);
        tomcat.setPort(Integer.parseInt(System.getenv("PORT")));
        tomcat.getConnector().setProperty("address", "127.0.0.1");
        Context site = tomcat.addContext("", null);
        Tomcat.addServlet(site, "spring", new DispatcherServlet(spring));
        site.addServletMappingDecoded("/", "spring");
        tomcat.start();
        tomcat.getServer().await();
    }
}

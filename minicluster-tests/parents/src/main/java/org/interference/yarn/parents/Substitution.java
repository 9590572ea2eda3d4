package org.interference.yarn.parents;

import java.util.Map;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.capacity.CapacityScheduler;
import org.apache.hadoop.yarn.server.resourcemanager.scheduler.fair.FairScheduler;
import org.interference.yarn.InterferenceAwareFairScheduler;
import org.interference.yarn.InterferenceAwareScheduler;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Puts our schedulers in the parents' place in a class file: where it creates one, extends one, or names its class as a value (for
 * a setting, a mock or a comparison). Types of variables and owners of methods stay the parents', which ours are too.
 */
final class Substitution extends ClassVisitor {
    private static final Map<String, String> OURS = Map.of(
            Type.getInternalName(CapacityScheduler.class), Type.getInternalName(InterferenceAwareScheduler.class),
            Type.getInternalName(FairScheduler.class), Type.getInternalName(InterferenceAwareFairScheduler.class));

    private Substitution(ClassVisitor next) {
        super(Opcodes.ASM9, next);
    }

    /** Returns the class file {@code original} with our schedulers in it. */
    static byte[] in(byte[] original) {
        ClassReader reader = new ClassReader(original);
        ClassWriter writer = new ClassWriter(0);
        reader.accept(new Substitution(writer), 0);
        return writer.toByteArray();
    }

    private static String ours(String internalName) {
        return OURS.getOrDefault(internalName, internalName);
    }

    @Override
    public void visit(int version, int access, String name, String signature, String parent, String[] interfaces) {
        super.visit(version, access, name, signature, ours(parent), interfaces);
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] thrown) {
        return new MethodVisitor(Opcodes.ASM9, super.visitMethod(access, name, descriptor, signature, thrown)) {
            @Override
            public void visitTypeInsn(int opcode, String type) {
                super.visitTypeInsn(opcode, opcode == Opcodes.NEW ? ours(type) : type);
            }

            @Override
            public void visitMethodInsn(
                    int opcode, String owner, String method, String type, boolean ownerIsInterface) {
                boolean constructor = method.equals("<init>");
                super.visitMethodInsn(opcode, constructor ? ours(owner) : owner, method, type, ownerIsInterface);
            }

            @Override
            public void visitLdcInsn(Object value) {
                boolean names = value instanceof Type type && type.getSort() == Type.OBJECT;
                super.visitLdcInsn(names ? Type.getObjectType(ours(((Type) value).getInternalName())) : value);
            }
        };
    }
}
